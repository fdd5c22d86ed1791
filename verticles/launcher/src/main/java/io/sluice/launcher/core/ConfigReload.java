package io.sluice.launcher.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * What a config that was read again changes, and whether that can be put into force while the process runs. It is taken
 * as a whole or not at all, as a part of it is a config that no operator wrote.
 */
public sealed interface ConfigReload {
    /** It is equal to the config in force. */
    record Nothing() implements ConfigReload {}

    /**
     * All of it can be taken.
     *
     * @param changes key by key
     */
    record Taken(List<Change> changes) implements ConfigReload {
        public Taken {
            changes = List.copyOf(changes);
        }
    }

    /**
     * None of it is taken, as some of it needs a restart.
     *
     * @param needStart the changes that do
     */
    record Refused(List<Change> needStart) implements ConfigReload {
        public Refused {
            needStart = List.copyOf(needStart);
        }
    }

    /**
     * One key's change.
     *
     * @param key its path
     * @param from the value in force
     * @param to the value that was read
     */
    record Change(String key, String from, String to) {
        public Change {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
        }
    }

    /** Compares two configs that have the same keys; a key that is missing in one has an empty value there. */
    static ConfigReload of(SortedMap<String, String> inForce, SortedMap<String, String> read) {
        var changes = new ArrayList<Change>();
        var keys = new TreeSet<>(inForce.keySet());
        keys.addAll(read.keySet());
        for (var key : keys) {
            var from = inForce.getOrDefault(key, "");
            var to = read.getOrDefault(key, "");
            if (!from.equals(to)) {
                changes.add(new Change(key, from, to));
            }
        }
        var needStart = changes.stream().filter(change -> !isLive(change.key())).toList();
        if (!needStart.isEmpty()) {
            return new Refused(needStart);
        }
        return changes.isEmpty() ? new Nothing() : new Taken(changes);
    }

    /** Whether a key's new value is taken without a restart. */
    static boolean isLive(String key) {
        return Live.KEYS.contains(key)
                || key.startsWith(Live.PRESSURE)
                || key.startsWith(Live.PLACEMENT) && Live.OF_ITS_START.stream().noneMatch(key::startsWith)
                || key.startsWith(Live.GATEWAY) && Live.LISTENER_KEYS.stream().anyMatch(key::endsWith);
    }

    /** The keys that are taken without a restart. */
    final class Live {
        private static final Set<String> KEYS =
                Set.of("ledger.watermark", "ledger.notReadyGrace", "ledger.checkInvariants");
        private static final String PRESSURE = "pressure.";
        private static final String PLACEMENT = "placement.";
        private static final Set<String> OF_ITS_START =
                Set.of("placement.schedulerName", "placement.preemption", "placement.gangs.");
        private static final String GATEWAY = "gateway.";
        private static final Set<String> LISTENER_KEYS = Set.of(".tls.cert", ".tls.key", ".tokenFile");

        private Live() {}
    }
}
