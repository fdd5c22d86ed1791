package io.sluice.gateway.console;

import io.sluice.messages.cluster.PodObserved;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Maps pods to their VMs, for messages that name the pod alone. Safe from any thread. */
final class MemberNames {
    private static final int KEPT_MAX = 100_000;

    private final Map<String, String> names = new ConcurrentHashMap<>();

    void observed(PodObserved pod) {
        if (pod.runsVm() && (names.size() < KEPT_MAX || names.containsKey(pod.uid()))) {
            names.put(pod.uid(), pod.namespace() + "/" + pod.vmName());
        }
    }

    void gone(String uid) {
        names.remove(uid);
    }

    Optional<String> vmIn(String uid) {
        return Optional.ofNullable(names.get(uid));
    }
}
