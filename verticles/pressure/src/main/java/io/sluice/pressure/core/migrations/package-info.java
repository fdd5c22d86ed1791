/** The life of a migration, from the room that is held for it to the day its object is gone. */
package io.sluice.pressure.core.migrations;
