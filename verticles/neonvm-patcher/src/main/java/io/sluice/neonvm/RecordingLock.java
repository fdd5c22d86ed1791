package io.sluice.neonvm;

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
 * A lock whose holds are noted, with the instants at which they were sent: the elector itself tells of a lost one only
 * after it has tried to give it back, which may take longer than others wait.
 *
 * <p>Whether a hold of somebody else has run out is told by how long ago it was first read here, not by the time that
 * its holder wrote down: the elector compares that with this machine's clock, and the two may differ.
 */
final class RecordingLock implements Lock {
    private static final int CONFLICT = 409;

    /** What is told of each hold. */
    interface Notes {
        /** Whose hold was read; nobody's is empty. */
        void saw(String holder, int term);

        /** A hold of this process was accepted. */
        void renewed(int term, long sentAtNanos);

        /** The API server refused, or could not be asked. */
        void failed(Throwable why);
    }

    private final Lock lock;
    private final Notes notes;
    private final LongSupplier nanoTime;
    private LeaderElectionRecord read;
    private long readAt;

    RecordingLock(Lock lock, Notes notes, LongSupplier nanoTime) {
        this.lock = lock;
        this.notes = notes;
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
        notes.saw(Objects.requireNonNullElse(record.getHolderIdentity(), ""), record.getLeaderTransitions());
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
        note(record, sent);
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
        note(record, sent);
    }

    private boolean isOurs(KubernetesClient client) {
        var now = guarded(() -> lock.get(client));
        return now != null && identity().equals(now.getHolderIdentity());
    }

    private void note(LeaderElectionRecord record, long sent) {
        if (identity().equals(record.getHolderIdentity())) {
            notes.renewed(record.getLeaderTransitions(), sent);
        }
    }

    /** The elector goes on after this kind of failure alone. */
    private <T> T guarded(Supplier<T> request) {
        try {
            return request.get();
        } catch (KubernetesClientException known) {
            if (known.getCode() != CONFLICT) {
                notes.failed(known);
            }
            throw known;
        } catch (RuntimeException unknown) {
            notes.failed(unknown);
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
