/** A VM's status: its size, its goal, what it waits for, and why. */
package io.sluice.agent.core.status;
