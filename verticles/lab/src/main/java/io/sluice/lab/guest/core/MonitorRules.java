package io.sluice.lab.guest.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * When the monitor of one session sends an upscale request, and when it agrees to a downscale.
 *
 * <p>The threshold is {@code 0.85 * total}. The total is at first the guest's own. After a size was received, it is
 * that size less 100 MiB. So the same size makes a lower threshold once it was received. A new session has no state of
 * the one before.
 */
public final class MonitorRules {
    /** The amount that a received size is lowered by, and that must be free below a lowered threshold. */
    static final long RESERVE_BYTES = 100L << 20;

    private static final double HEADROOM = 0.15;
    private static final double MIB = 1 << 20;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration SAMPLE_TOO_OLD = Duration.ofSeconds(5);

    private final MemoryWindow window = new MemoryWindow();
    private long threshold;
    private Optional<Instant> upscaleRequestedAt = Optional.empty();

    /** The rules of a session that begins with this much memory. */
    public MonitorRules(long totalBytes) {
        threshold = threshold(totalBytes);
    }

    /** Takes a sample of the used memory; returns whether to send an upscale request now. */
    public boolean sample(long heldBytes, Instant now) {
        window.add(heldBytes, now);
        boolean paused = upscaleRequestedAt
                .filter(upscaleRequested -> now.isBefore(upscaleRequested.plus(PAUSE)))
                .isPresent();
        if (paused || window.mean() < threshold) {
            return false;
        }
        upscaleRequestedAt = Optional.of(now);
        return true;
    }

    /** Takes the VM's present memory. It is accepted whether it is more or less than before. */
    public void granted(long bytes) {
        threshold = threshold(usable(bytes));
    }

    /** Decides whether the VM may shrink to this memory, and lowers the threshold if so. */
    public Shrink shrink(long targetBytes, Instant now) {
        if (window.newest()
                .filter(newest -> now.isAfter(newest.plus(SAMPLE_TOO_OLD)))
                .isPresent()) {
            return new Shrink.Failed("failed to downscale: the newest memory sample is too old");
        }
        if (window.count() <= 1) {
            return new Shrink.Denied("too few memory samples so far");
        }
        long usable = usable(targetBytes);
        long lowered = threshold(usable);
        if (lowered < window.mean() + RESERVE_BYTES) {
            return new Shrink.Denied("threshold would be %s MiB, below %s MiB in use and %s MiB to spare"
                    .formatted(mib(lowered), mib(window.mean()), mib(RESERVE_BYTES)));
        }
        var status = "memory threshold from %s MiB to %s MiB, of %s MiB in total"
                .formatted(mib(threshold), mib(lowered), mib(usable));
        threshold = lowered;
        return new Shrink.Allowed(status);
    }

    /** In bytes. */
    public long threshold() {
        return threshold;
    }

    private static long usable(long bytes) {
        return Math.max(0, bytes - RESERVE_BYTES);
    }

    private static long threshold(long totalBytes) {
        return (long) (totalBytes * (1.0 - HEADROOM));
    }

    private static String mib(long bytes) {
        return String.format(Locale.ROOT, "%.1f", bytes / MIB);
    }
}
