package io.sluice.launcher;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for futures on threads that may block: the main thread's, never an event loop's. */
final class BlockingWait {
    private BlockingWait() {}

    /**
     * The result.
     *
     * @throws StartException that names what failed, and why
     */
    static <T> T on(Future<T> future, Duration atMost, String what) throws StartException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CompletionException failed) {
            throw new StartException(what + ": " + text(failed.getCause()), failed.getCause());
        } catch (TimeoutException late) {
            throw new StartException(what + ": not completed within " + atMost.toSeconds() + " s", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StartException(what + ": interrupted", interrupted);
        }
    }

    private static String text(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
