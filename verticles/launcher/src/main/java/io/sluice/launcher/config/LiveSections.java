package io.sluice.launcher.config;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The parts that take a new config while the process runs, in the order in which they are called: all of them take it,
 * or those that have done so get the old one back.
 */
public final class LiveSections {
    private final List<Function<SluiceConfig, Future<Void>>> takers = new ArrayList<>();

    public void add(Function<SluiceConfig, Future<Void>> taker) {
        takers.add(taker);
    }

    public Future<Void> take(SluiceConfig config, SluiceConfig inForce) {
        return take(0, config, inForce);
    }

    private Future<Void> take(int next, SluiceConfig config, SluiceConfig inForce) {
        if (next == takers.size()) {
            return Future.succeededFuture();
        }
        return takers.get(next)
                .apply(config)
                .compose(taken -> take(next + 1, config, inForce)
                        .recover(refused ->
                                takers.get(next).apply(inForce).transform(back -> Future.failedFuture(refused))));
    }
}
