/**
 * The agents' protocol on the agent's side: requests, the meaning of responses, and which scheduler is tried next.
 * Pure.
 */
package io.sluice.agent.scheduler.core;
