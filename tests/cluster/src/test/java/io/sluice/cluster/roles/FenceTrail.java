package io.sluice.cluster.roles;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every write to each VM in the order of its API server, and which of them a superseded runner made. */
final class FenceTrail {
    private final Map<String, Write> last = new HashMap<>();
    private final Map<String, Set<String>> superseded = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private long patches;
    private long takeovers;

    /**
     * One write.
     *
     * @param size size of the VM in its spec
     * @param fence fence annotation, {@code owner/number}; empty before the first claim
     */
    record Write(String size, String fence) {
        private String owner() {
            return fence.substring(0, Math.max(0, fence.lastIndexOf('/')));
        }

        private long number() {
            return fence.isEmpty() ? 0 : Long.parseLong(fence.substring(fence.lastIndexOf('/') + 1));
        }
    }

    /** The next write to a VM. */
    synchronized void add(String vm, Write write) {
        var before = last.put(vm, write);
        if (before == null || before.equals(write)) {
            return;
        }
        boolean sized = !before.size().equals(write.size());
        if (!before.owner().equals(write.owner())) {
            takeOver(vm, before, write, sized);
        } else if (before.fence().equals(write.fence())) {
            wrong.add(vm + " was sized in spite of its fence " + write.fence() + ": " + write.size());
        } else if (write.number() < before.number()) {
            wrong.add(vm + " got an older fence: " + write.fence() + " after " + before.fence());
        } else if (sized) {
            patches++;
        }
    }

    private void takeOver(String vm, Write before, Write write, boolean sized) {
        var gone = superseded.computeIfAbsent(vm, unknown -> new HashSet<>());
        gone.add(before.owner());
        if (gone.contains(write.owner())) {
            wrong.add(vm + " was written by " + write.fence() + ", which " + before.fence() + " had superseded");
        } else if (sized) {
            wrong.add(vm + " was sized by " + write.fence() + " while fence " + before.fence() + " was current");
        }
        takeovers++;
    }

    /** The forbidden writes, in words. */
    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Number of writes of a new size by the runner with the current fence. */
    synchronized long patches() {
        return patches;
    }

    /** Number of times that one runner's fence replaced another's. */
    synchronized long takeovers() {
        return takeovers;
    }
}
