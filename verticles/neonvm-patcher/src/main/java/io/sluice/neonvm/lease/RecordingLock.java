package io.sluice.neonvm.lease;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A lock that reports each hold, with the instant at which its request was sent. The elector itself reports a lost
 * Lease only after it has tried to release it, which may take longer than other processes wait.
 *
 * <p>Another holder's Lease has expired if its record was first read here long enough ago; the time in the record does
 * not count. The elector compares that time with this machine's clock, and the two clocks may differ.
 */
final class RecordingLock implements Lock {
    private static final int CONFLICT = 409;

    /** Receives what happens to the lock. */
    interface History {
        /** The Lease was read; the holder is empty if there is none. */
        void saw(String holder, int term);

        /** The API server accepted a hold of this process. */
        void renewed(int term, long sentAtNanos);

        /** The API server refused, or could not be reached. */
        void failed(Throwable why);
    }

    private final Lock lock;
    private final History history;
    private final LongSupplier nanoTime;
    private LeaderElectionRecord read;
    private long readAt;

    RecordingLock(Lock lock, History log, LongSupplier nanoTime) {
        this.lock = lock;
        this.history = log;
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized LeaderElectionRecord get(KubernetesClient client) {
        var record = guarded(() -> lock.get(client));
        if (record == null) {
            return null;
        }
        if (!record.equals(read)) {
            read = record;
            readAt = nanoTime.getAsLong();
        }
        history.saw(Objects.requireNonNullElse(record.getHolderIdentity(), ""), record.getLeaderTransitions());
        return record.toBuilder()
                .renewTime(ZonedDateTime.now(ZoneOffset.UTC).minus(Duration.ofNanos(nanoTime.getAsLong() - readAt)))
                .build();
    }

    @Override
    public synchronized void create(KubernetesClient client, LeaderElectionRecord record) {
        long sent = nanoTime.getAsLong();
        guarded(() -> {
            lock.create(client, record);
            return record;
        });
        write(record, sent);
    }

    @Override
    public synchronized void update(KubernetesClient client, LeaderElectionRecord record) {
        long sent = nanoTime.getAsLong();
        try {
            guarded(() -> {
                lock.update(client, record);
                return record;
            });
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != CONFLICT || !isOurs(client)) {
                throw refused;
            }
            // Another process of the same holder has renewed it since it was read.
        }
        write(record, sent);
    }

    private boolean isOurs(KubernetesClient client) {
        var now = guarded(() -> lock.get(client));
        return now != null && identity().equals(now.getHolderIdentity());
    }

    private void write(LeaderElectionRecord record, long sent) {
        if (identity().equals(record.getHolderIdentity())) {
            history.renewed(record.getLeaderTransitions(), sent);
        }
    }

    /** The elector continues after this type of exception only. */
    private <T> T guarded(Supplier<T> request) {
        try {
            return request.get();
        } catch (KubernetesClientException known) {
            if (known.getCode() != CONFLICT) {
                history.failed(known);
            }
            throw known;
        } catch (RuntimeException unknown) {
            history.failed(unknown);
            throw new KubernetesClientException(unknown.getMessage(), unknown);
        }
    }

    @Override
    public String identity() {
        return lock.identity();
    }

    @Override
    public String describe() {
        return lock.describe();
    }
}
