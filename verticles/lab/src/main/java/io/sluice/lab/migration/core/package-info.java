/** What a migration does next, and where its target lands: pure. */
package io.sluice.lab.migration.core;
