/** The files that a replay writes. */
package io.sluice.replay.report;
