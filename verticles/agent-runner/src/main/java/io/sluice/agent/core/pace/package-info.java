/** When a runner acts again: periods, pauses after failures, and reports that repeat. */
package io.sluice.agent.core.pace;
