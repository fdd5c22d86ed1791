/** The journals of scaling cores, played back. */
package io.sluice.agent.core.journal;
