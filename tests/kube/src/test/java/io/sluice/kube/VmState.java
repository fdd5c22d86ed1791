package io.sluice.kube;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.util.Map;
import java.util.Optional;

/** The content of a VM's object. */
record VmState(GenericKubernetesResource object) {
    /** The size in its spec. */
    Resources reported() {
        long slot = Quantities.bytes(text("spec", "guest", "memorySlotSize"));
        long slots = Long.parseLong(text("spec", "guest", "memorySlots", "use"));
        return new Resources(Quantities.milliCpu(text("spec", "guest", "cpus", "use")), slots * slot);
    }

    /** The size in its status; none while it does not run. */
    Resources is() {
        return find("status", "cpus")
                .map(cpus -> new Resources(Quantities.milliCpu(cpus), Quantities.bytes(text("status", "memorySize"))))
                .orElse(Resources.NONE);
    }

    /** Whether it has that size in spec and status, and nothing is under way. */
    boolean settledAt(Resources size) {
        return reported().equals(size) && is().equals(size) && phase().equals("Running");
    }

    /** The version of its object; it changes with each write. */
    String version() {
        return object.getMetadata().getResourceVersion();
    }

    String uid() {
        return object.getMetadata().getUid();
    }

    String phase() {
        return find("status", "phase").orElse("");
    }

    String podName() {
        return find("status", "podName").orElse("");
    }

    String node() {
        return find("status", "node").orElse("");
    }

    int restarts() {
        return Integer.parseInt(find("status", "restartCount").orElse("0"));
    }

    Revision target() {
        return revision("spec", "targetRevision");
    }

    Revision current() {
        return revision("status", "currentRevision");
    }

    String annotation(String key) {
        return Optional.ofNullable(object.getMetadata().getAnnotations())
                .orElse(Map.of())
                .getOrDefault(key, "");
    }

    private Revision revision(String part, String field) {
        return find(part, field, "revision", "value")
                .map(value ->
                        new Revision(Long.parseLong(value), Long.parseLong(text(part, field, "revision", "flags"))))
                .orElse(Revision.NONE);
    }

    private String text(Object... path) {
        return find(path).orElseThrow();
    }

    private Optional<String> find(Object... path) {
        return Optional.ofNullable(object.get(path)).map(String::valueOf);
    }

    /** A revision: the number of a goal, and its flags. */
    record Revision(long value, long flags) {
        static final Revision NONE = new Revision(-1, -1);
    }
}
