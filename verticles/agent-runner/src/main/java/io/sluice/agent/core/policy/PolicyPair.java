package io.sluice.agent.core.policy;

import java.util.Objects;

/**
 * The policy that scales an agent's VMs, and one beside it that scales nothing.
 *
 * @param inForce the policy whose goals are applied
 * @param shadow the policy whose goals are only reported; none if it is equal to the other
 */
public record PolicyPair(PolicyConfig inForce, PolicyConfig shadow) {
    public static final PolicyPair DEFAULTS = new PolicyPair(PolicyConfig.DEFAULTS, PolicyConfig.DEFAULTS);

    public PolicyPair {
        requireOnline("policy", inForce);
        requireOnline("shadowPolicy", shadow);
    }

    private static void requireOnline(String key, PolicyConfig policy) {
        Objects.requireNonNull(policy, key);
        if (!VmPolicy.isOnline(policy.kind())) {
            throw new IllegalArgumentException("agent." + key + ".kind=" + policy.kind()
                    + " needs samples of the future, or of the past before the agent's start: it must be agent or"
                    + " demand");
        }
    }

    boolean hasShadow() {
        return !shadow.equals(inForce);
    }
}
