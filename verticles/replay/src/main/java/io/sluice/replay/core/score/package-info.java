/** What a replay counts. */
package io.sluice.replay.core.score;
