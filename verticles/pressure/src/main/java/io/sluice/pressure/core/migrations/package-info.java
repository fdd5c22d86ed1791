/** The course of a migration, from its hold until its object is gone. */
package io.sluice.pressure.core.migrations;
