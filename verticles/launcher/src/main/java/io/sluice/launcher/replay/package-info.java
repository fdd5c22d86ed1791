/** The command that replays recorded load. */
package io.sluice.launcher.replay;
