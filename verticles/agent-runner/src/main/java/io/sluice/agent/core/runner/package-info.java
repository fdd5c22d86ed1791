/**
 * One runner's part in the protocols: its session, the order of its requests, and what a lost reply means; pure.
 *
 * <p>{@link io.sluice.agent.core.runner.Runner} is the entry point. It uses the scaling core, which decides the VM's
 * size.
 */
package io.sluice.agent.core.runner;
