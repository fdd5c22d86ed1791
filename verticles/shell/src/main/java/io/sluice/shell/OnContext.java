package io.sluice.shell;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Runs work that any thread submits on a verticle's own context.
 *
 * @param context the verticle's
 */
public record OnContext(Context context) {
    /** The future of the work, which fails with what the work throws. */
    public <T> Future<T> run(Supplier<Future<T>> work) {
        return Future.future(promise -> context.runOnContext(
                turn -> Future.succeededFuture().compose(now -> work.get()).onComplete(promise)));
    }

    /** The same for work that ends when it returns. */
    public <T> Future<T> call(Supplier<T> work) {
        return run(() -> Future.succeededFuture(work.get()));
    }
}
