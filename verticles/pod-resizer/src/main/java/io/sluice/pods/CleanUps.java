package io.sluice.pods;

import io.sluice.shell.Backoff;
import io.sluice.shell.BoundedMap;
import io.sluice.shell.pods.ScaledPod;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Clean-ups of one kind. For each pod one is under way at a time. While the pod shows that it is still due, as where
 * the request failed or the watch receives nothing, the waits between them double. For one context.
 */
final class CleanUps {
    static final Backoff WAITS = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1));
    private static final int PODS_MAX = 20_000;

    private final RandomGenerator random;
    private final Map<String, Attempts> attempts = BoundedMap.ofLastUsed(PODS_MAX);

    private static final class Attempts {
        final Backoff.Failures waits;
        Instant next = Instant.MIN;
        boolean isUnderWay;

        Attempts(RandomGenerator random) {
            waits = WAITS.failures(random);
        }
    }

    CleanUps(RandomGenerator random) {
        this.random = random;
    }

    /** A pod shows that its clean-up is due. It is sent unless one is under way or its wait lasts. */
    void due(ScaledPod pod, Instant now, Supplier<Future<?>> send) {
        var tried = attempts.computeIfAbsent(pod.id().uid(), uid -> new Attempts(random));
        if (tried.isUnderWay || now.isBefore(tried.next)) {
            return;
        }
        tried.isUnderWay = true;
        tried.next = now.plusMillis(tried.waits.nextMs());
        send.get().onComplete(ended -> tried.isUnderWay = false);
    }

    /** A pod shows that nothing is due. */
    void over(ScaledPod pod) {
        attempts.remove(pod.id().uid());
    }
}
