/** The journals of scaling cores as text, for recordings. */
package io.sluice.agent.journal;
