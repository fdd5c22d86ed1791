package io.sluice.pressure;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Does on a verticle's own context what others ask for on any thread.
 *
 * @param context the verticle's
 */
record OnContext(Context context) {
    <T> Future<T> run(Supplier<T> work) {
        return Future.future(promise -> context.runOnContext(
                turn -> Future.succeededFuture().map(now -> work.get()).onComplete(promise)));
    }
}
