package io.sluice.neonvm;

import io.sluice.neonvm.core.Listing;
import io.sluice.neonvm.core.Scope;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The watches of all kinds, each of which goes on where the first listing that held its kind ended. */
final class Watches {
    private final Map<Watched, KindWatch> watches = new EnumMap<>(Watched.class);

    /** @param listeners what is to be done with changes of each kind */
    Watches(KindWatch.Home home, Scope scope, Duration silence, Map<Watched, KindWatch.Listener> listeners) {
        listeners.forEach((watched, listener) -> watches.put(
                watched,
                new KindWatch(watched, new KindWatch.Terms(watched.selector(scope), silence), home, listener)));
    }

    void listed(Listing listing) {
        watches.get(Watched.NODES).listed(listing.nodes().version());
        watches.get(Watched.PODS).listed(listing.pods().version());
        watches.get(Watched.VMS).listed(listing.vms().version());
        listing.migrations().ifPresent(part -> watches.get(Watched.MIGRATIONS).listed(part.version()));
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

    KindWatch.State state(Watched watched) {
        return watches.get(watched).state();
    }

    void close() {
        watches.values().forEach(KindWatch::close);
    }
}
