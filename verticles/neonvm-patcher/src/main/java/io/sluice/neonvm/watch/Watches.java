package io.sluice.neonvm.watch;

import io.sluice.neonvm.api.WatchedKind;
import io.sluice.neonvm.core.observed.FullList;
import io.sluice.neonvm.core.observed.WatchScope;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The watches of all kinds. Each continues where the first full list with its kind ended. */
final class Watches {
    private final Map<WatchedKind, KindWatcher> watches = new EnumMap<>(WatchedKind.class);

    /** @param listeners receive the changes of each kind */
    Watches(
            KindWatcher.Dependencies dependencies,
            WatchScope scope,
            Duration silence,
            Map<WatchedKind, KindWatcher.Listener> listeners) {
        listeners.forEach((watched, listener) -> {
            var watcher = new KindWatcher(
                    watched, new KindWatcher.Options(watched.selector(scope), silence), dependencies, listener);
            dependencies
                    .meters()
                    .follow(
                            watched,
                            () -> watcher.state().started(),
                            () -> watcher.state().watching());
            watches.put(watched, watcher);
        });
    }

    void listed(FullList fullList) {
        watches.get(WatchedKind.NODES).listed(fullList.nodes().version());
        watches.get(WatchedKind.PODS).listed(fullList.pods().version());
        if (fullList.vms().version() != FullList.NO_SUCH_KIND) {
            watches.get(WatchedKind.VMS).listed(fullList.vms().version());
        }
        fullList.migrations()
                .ifPresent(part -> watches.get(WatchedKind.MIGRATIONS).listed(part.version()));
    }

    /** Zones were listed. */
    void zonesListed(long version) {
        watches.get(WatchedKind.ZONES).listed(version);
    }

    /**
     * The kind without an open watch at present, in words. Kinds that were never listed do not count, nor do zones:
     * pods count in all of them without news.
     */
    Optional<String> missing() {
        return watches.entrySet().stream()
                .filter(each -> {
                    var state = each.getValue().state();
                    return state.started() && !state.watching() && each.getKey() != WatchedKind.ZONES;
                })
                .findFirst()
                .map(each -> "changes of " + each.getKey().path() + " are not received");
    }

    /**
     * The kinds of which no changes are received, since when and why; empty if there is none. From any thread.
     *
     * @param listsFail whether full lists are refused too
     */
    Optional<String> trouble(boolean listsFail) {
        var troubled = new TreeMap<String, KindWatcher.Trouble>();
        watches.forEach((watched, watcher) ->
                watcher.trouble().ifPresent(trouble -> troubled.put(watched.instance(), trouble)));
        return troubled.values().stream()
                .min(Comparator.comparing(KindWatcher.Trouble::since))
                .map(first -> "the watches of " + String.join(", ", troubled.keySet()) + " receive nothing, since "
                        + first.since().truncatedTo(ChronoUnit.SECONDS) + ": " + first.reason()
                        + (listsFail ? "; lists fail too" : "; full lists are served"));
    }

    /** The kinds that are watched. */
    Set<WatchedKind> kinds() {
        return watches.keySet();
    }

    KindWatcher.State state(WatchedKind watched) {
        return watches.get(watched).state();
    }

    void close() {
        watches.values().forEach(KindWatcher::close);
    }
}
