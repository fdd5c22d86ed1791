package io.sluice.neonvm;

import io.sluice.neonvm.core.FullList;
import io.sluice.neonvm.core.WatchScope;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The watches of all kinds, each of which goes on where the first listing that held its kind ended. */
final class Watches {
    private final Map<WatchedKind, KindWatcher> watches = new EnumMap<>(WatchedKind.class);

    /** @param listeners what is to be done with changes of each kind */
    Watches(
            KindWatcher.Home home,
            WatchScope scope,
            Duration silence,
            Map<WatchedKind, KindWatcher.Listener> listeners) {
        listeners.forEach((watched, listener) -> watches.put(
                watched,
                new KindWatcher(watched, new KindWatcher.Terms(watched.selector(scope), silence), home, listener)));
    }

    void listed(FullList listing) {
        watches.get(WatchedKind.NODES).listed(listing.nodes().version());
        watches.get(WatchedKind.PODS).listed(listing.pods().version());
        watches.get(WatchedKind.VMS).listed(listing.vms().version());
        listing.migrations()
                .ifPresent(part -> watches.get(WatchedKind.MIGRATIONS).listed(part.version()));
    }

    /** Of what kind changes are not heard of now, in words; of one that was never listed there are none. */
    Optional<String> unheard() {
        return watches.entrySet().stream()
                .filter(each -> {
                    var state = each.getValue().state();
                    return state.started() && !state.watching();
                })
                .findFirst()
                .map(each -> "changes of " + each.getKey().path() + " are not heard of");
    }

    KindWatcher.State state(WatchedKind watched) {
        return watches.get(watched).state();
    }

    void close() {
        watches.values().forEach(KindWatcher::close);
    }
}
