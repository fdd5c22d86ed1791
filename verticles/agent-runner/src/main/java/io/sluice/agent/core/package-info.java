/** What the agent decides about its VMs as a whole. */
package io.sluice.agent.core;
