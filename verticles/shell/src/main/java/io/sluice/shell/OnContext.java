package io.sluice.shell;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Runs on a verticle's own context what is requested on any thread.
 *
 * @param context the verticle's
 */
public record OnContext(Context context) {
    /** The work's own future, or what the work throws, on the requester's side. */
    public <T> Future<T> run(Supplier<Future<T>> work) {
        return Future.future(promise -> context.runOnContext(
                turn -> Future.succeededFuture().compose(now -> work.get()).onComplete(promise)));
    }

    /** The same for work that is done when it returns. */
    public <T> Future<T> call(Supplier<T> work) {
        return run(() -> Future.succeededFuture(work.get()));
    }
}
