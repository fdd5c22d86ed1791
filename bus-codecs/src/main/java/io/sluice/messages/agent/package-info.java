/** Decisions of the agent and their reasons. */
package io.sluice.messages.agent;
