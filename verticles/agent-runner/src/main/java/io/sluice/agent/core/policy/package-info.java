/** What computes the goal of a VM: in production, and in replays. */
package io.sluice.agent.core.policy;
