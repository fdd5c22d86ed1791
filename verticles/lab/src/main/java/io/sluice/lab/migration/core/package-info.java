/** Decides the next step of a migration and the node of its target. Pure. */
package io.sluice.lab.migration.core;
