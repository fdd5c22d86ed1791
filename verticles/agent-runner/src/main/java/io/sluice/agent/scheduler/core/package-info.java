/** The agents' protocol from the agent's side: what is asked, what an answer means, and whom to ask next. Pure. */
package io.sluice.agent.scheduler.core;
