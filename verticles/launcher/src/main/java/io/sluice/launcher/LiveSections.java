package io.sluice.launcher;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Who takes a new config while running, in the order in which they are asked: all of them take it, or those who have
 * done so take the old one back.
 */
final class LiveSections {
    private final List<Function<SluiceConfig, Future<Void>>> takers = new ArrayList<>();

    void add(Function<SluiceConfig, Future<Void>> taker) {
        takers.add(taker);
    }

    Future<Void> take(SluiceConfig wanted, SluiceConfig inForce) {
        return take(0, wanted, inForce);
    }

    private Future<Void> take(int next, SluiceConfig wanted, SluiceConfig inForce) {
        if (next == takers.size()) {
            return Future.succeededFuture();
        }
        return takers.get(next)
                .apply(wanted)
                .compose(taken -> take(next + 1, wanted, inForce)
                        .recover(refused ->
                                takers.get(next).apply(inForce).transform(back -> Future.failedFuture(refused))));
    }
}
