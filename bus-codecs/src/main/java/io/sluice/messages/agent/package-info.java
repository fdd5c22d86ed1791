/** What the agent decided and why. */
package io.sluice.messages.agent;
