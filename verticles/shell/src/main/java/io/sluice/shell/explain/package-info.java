/** Why something was decided or is as it is: entries that the log, {@code why}, the console and the demo show. */
package io.sluice.shell.explain;
