/**
 * What an agent decides for one VM: metrics in, requests to scheduler, driver and monitor out; pure.
 *
 * <p>{@link io.sluice.agent.core.scaling.ScalingCore} holds the state. The goal
 * ({@link io.sluice.agent.core.scaling.GoalCu}, {@link io.sluice.agent.core.scaling.WorkingSet}), the desired size
 * ({@link io.sluice.agent.core.scaling.Desired}) and each of the three parties' rules have classes of their own.
 */
package io.sluice.agent.core.scaling;
