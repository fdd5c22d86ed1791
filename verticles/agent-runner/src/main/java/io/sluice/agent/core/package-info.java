/** Decisions of the agent that concern all of its VMs; pure. */
package io.sluice.agent.core;
