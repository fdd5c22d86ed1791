/** The short form of what this module does, and tests of its parts. */
package io.sluice.cluster;
