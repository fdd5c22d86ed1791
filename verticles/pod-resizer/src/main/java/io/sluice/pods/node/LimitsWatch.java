package io.sluice.pods.node;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Reports that limits differ once that has lasted, and again only when they differ in another way. For one context. */
final class LimitsWatch {
    private final Vertx vertx;
    private final Duration after;
    private final Consumer<String> report;
    private Optional<String> differing = Optional.empty();
    private Optional<Long> timer = Optional.empty();
    private boolean isOverdue;
    private volatile Optional<String> lasting = Optional.empty();

    /**
     * @param after how long they must differ
     * @param report receives how they differ, in words
     */
    LimitsWatch(Vertx vertx, Duration after, Consumer<String> report) {
        this.vertx = vertx;
        this.after = after;
        this.report = report;
    }

    /**
     * Takes what was found.
     *
     * @param difference in words; empty if there is none
     * @param again has it looked for once more
     */
    void found(Optional<String> difference, Runnable again) {
        if (!difference.equals(differing)) {
            close();
            differing = difference;
            timer = difference.map(words -> vertx.setTimer(after.toMillis(), passed -> {
                isOverdue = true;
                again.run();
            }));
        } else if (isOverdue && lasting.isEmpty()) {
            lasting = difference;
            difference.ifPresent(report);
        }
    }

    /** How they differ, once that has lasted. From any thread. */
    Optional<String> lasting() {
        return lasting;
    }

    /** Forgets that they differ. */
    void close() {
        timer.ifPresent(vertx::cancelTimer);
        timer = Optional.empty();
        differing = Optional.empty();
        isOverdue = false;
        lasting = Optional.empty();
    }
}
