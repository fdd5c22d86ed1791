package io.sluice.launcher;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How long the process lives: until a signal, the end of its parent, or the end of its time. A signal is only recorded;
 * the main thread ends the process, and the signal's hook waits for that, within a bound.
 */
final class ProcessLifetime {
    private static final Duration END_MAX = Duration.ofSeconds(15);

    private final CompletableFuture<Void> ending = new CompletableFuture<>();
    private final CompletableFuture<Integer> over = new CompletableFuture<>();
    private boolean heeding;

    /** Handles signals from now on. */
    void heedSignals() {
        heeding = true;
        Runtime.getRuntime().addShutdownHook(new Thread(this::atShutdown, "sluice-shutdown"));
    }

    /** Ends this process when that process ends; at once if it has ended already. */
    void endWith(long pid) {
        ProcessHandle.of(pid)
                .ifPresentOrElse(
                        parent -> parent.onExit().thenRun(() -> ending.complete(null)), () -> ending.complete(null));
    }

    /** Returns once the process is to end. */
    void await() throws InterruptedException {
        awaitUnless(new CompletableFuture<>());
    }

    /** Whether the process is to end. */
    boolean isEnding() {
        return ending.isDone();
    }

    /** Returns nothing once the process is to end, or the result of the future once that completes. */
    Optional<String> awaitUnless(CompletableFuture<String> that) throws InterruptedException {
        try {
            CompletableFuture.anyOf(ending, that).get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("an end is never a failure", impossible);
        }
        return isEnding() ? Optional.empty() : Optional.of(that.join());
    }

    /** Returns once the process is to end, or has reached that age. */
    void awaitAge(Duration age) throws InterruptedException {
        try {
            ending.get(age.minus(age()).toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException timeIsUp) {
            ending.complete(null);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("an end is never a failure", impossible);
        }
    }

    /**
     * Exits with a status after everything has stopped. Does not return. Where signals are not handled, nothing is to
     * be stopped: {@code System.exit} would look for a logger in each jar first, a tenth of a short command's time.
     */
    void exit(int status) {
        over.complete(status);
        if (heeding) {
            System.exit(status);
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(status);
    }

    /** The age of the JVM. */
    static Duration age() {
        return Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
    }

    private void atShutdown() {
        ending.complete(null);
        int status = 1;
        try {
            status = over.get(END_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException late) {
            System.err.println(
                    "sluice: the process did not stop within " + END_MAX.toSeconds() + " s and is ended by force");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(status);
    }
}
