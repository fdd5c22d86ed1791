package io.sluice.workers.store;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.units.Resources;
import io.sluice.workers.core.Credential;
import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.JoinToken;
import io.sluice.workers.core.Order;
import io.sluice.workers.core.Row;
import io.sluice.workers.core.Worker;
import io.sluice.workers.core.WorkerHello;
import io.sluice.workers.core.WorkerState;
import io.sluice.workers.store.v1.StoredInstance;
import io.sluice.workers.store.v1.StoredOrder;
import io.sluice.workers.store.v1.StoredToken;
import io.sluice.workers.store.v1.StoredWorker;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rows as bytes. */
final class StoredRows {
    private static final long NEVER_MS = Long.MAX_VALUE;

    private StoredRows() {}

    /** The bytes of a row; empty for one that is no more. */
    static Optional<byte[]> bytes(Row row) {
        return switch (row) {
            case Row.OfWorker(var worker) -> Optional.of(stored(worker).toByteArray());
            case Row.OfInstance(var instance) -> Optional.of(stored(instance).toByteArray());
            case Row.OfReplaced(var instance) -> Optional.of(stored(instance).toByteArray());
            case Row.OfOrder(var order) -> Optional.of(stored(order).toByteArray());
            case Row.OfToken(var token) -> Optional.of(stored(token).toByteArray());
            case Row.Removed _ -> Optional.empty();
        };
    }

    private static StoredWorker stored(Worker worker) {
        var hello = worker.hello();
        return StoredWorker.newBuilder()
                .setId(hello.worker())
                .setKey(hello.key())
                .setState(worker.state().name())
                .setEpoch(worker.epoch())
                .setBootEpoch(hello.boot())
                .setMilliCpu(hello.capacity().milliCpu())
                .setMemoryBytes(hello.capacity().memoryBytes())
                .putAllLabels(hello.labels())
                .addAllRuntimes(hello.runtimes())
                .setResizes(hello.resizes())
                .setLastSeq(worker.lastSeq())
                .setEnrolledKey(worker.credential().key())
                .setCertificateEndsMs(worker.credential().endsAt().toEpochMilli())
                .putAllEnrolledLabels(worker.credential().labels())
                .addAllEnrolledRuntimes(worker.credential().runtimes())
                .setDrains(worker.drain().on())
                .setDrainUntilMs(millis(worker.drain().until()))
                .build();
    }

    /**
     * All of a query's rows, of which each is a key and its bytes.
     *
     * @param now what the workers' last frames are taken to have come at
     */
    static FleetStore.Stored all(ResultSet rows, Instant now) throws SQLException {
        var workers = new ArrayList<Worker>();
        var instances = new ArrayList<Instance>();
        var orders = new ArrayList<Order>();
        var tokens = new ArrayList<JoinToken>();
        while (rows.next()) {
            var key = rows.getString(1);
            var bytes = rows.getBytes(2);
            try {
                switch (key.substring(0, key.indexOf('/'))) {
                    case "worker" -> workers.add(worker(StoredWorker.parseFrom(bytes), now));
                    case "instance", "replaced" -> instances.add(instance(StoredInstance.parseFrom(bytes)));
                    case "order" -> orders.add(order(StoredOrder.parseFrom(bytes)));
                    case "token" -> tokens.add(token(StoredToken.parseFrom(bytes)));
                    default -> throw new SQLException("a row has the unknown key " + key);
                }
            } catch (InvalidProtocolBufferException unreadable) {
                throw new SQLException("the row " + key + " is unreadable", unreadable);
            }
        }
        return new FleetStore.Stored(workers, instances, orders, tokens);
    }

    static Worker worker(StoredWorker row, Instant now) {
        var hello = new WorkerHello(
                row.getId(),
                row.getKey(),
                row.getBootEpoch(),
                new Resources(row.getMilliCpu(), row.getMemoryBytes()),
                row.getLabelsMap(),
                Set.copyOf(row.getRuntimesList()),
                row.getResizes(),
                List.of(),
                0);
        var credential = new Credential(
                row.getEnrolledKey(),
                Instant.ofEpochMilli(row.getCertificateEndsMs()),
                row.getEnrolledLabelsMap(),
                Set.copyOf(row.getEnrolledRuntimesList()));
        var drain = row.getDrains() ? Worker.Drain.until(instant(row.getDrainUntilMs())) : Worker.Drain.OFF;
        var state = WorkerState.valueOf(row.getState());
        return new Worker(hello, state, row.getEpoch(), row.getLastSeq(), 0, now, now, credential, drain);
    }

    private static StoredToken stored(JoinToken token) {
        return StoredToken.newBuilder()
                .setId(token.id())
                .setHash(token.hash())
                .setPattern(token.pattern())
                .setUsesLeft(token.usesLeft())
                .setEndsAtMs(token.endsAt().toEpochMilli())
                .putAllLabels(token.labels())
                .addAllRuntimes(token.runtimes())
                .addAllUsedBy(token.usedBy())
                .build();
    }

    static JoinToken token(StoredToken row) {
        return new JoinToken(
                row.getId(),
                row.getHash(),
                row.getPattern(),
                row.getUsesLeft(),
                Instant.ofEpochMilli(row.getEndsAtMs()),
                row.getLabelsMap(),
                Set.copyOf(row.getRuntimesList()),
                row.getUsedByList());
    }

    private static StoredInstance stored(Instance instance) {
        var spec = instance.spec();
        var status = instance.status();
        var notBefore = instance.retry().notBefore();
        return StoredInstance.newBuilder()
                .setId(spec.id())
                .setWorkload(spec.workload())
                .setDefinition(spec.definition())
                .setRuntime(spec.runtime())
                .setRequestedMilliCpu(spec.requests().milliCpu())
                .setRequestedMemoryBytes(spec.requests().memoryBytes())
                .setExclusive(spec.exclusive())
                .setRestart(spec.restart().name())
                .putAllSelector(spec.selector())
                .setGang(spec.gang().name())
                .setGangLeast(spec.gang().least())
                .setTarget(spec.on().name())
                .setRemoved(instance.removed())
                .setGeneration(instance.numbers().generation())
                .setPlacement(instance.numbers().placement())
                .setVersion(instance.numbers().version())
                .setGrantedMilliCpu(instance.granted().milliCpu())
                .setGrantedMemoryBytes(instance.granted().memoryBytes())
                .setState(status.state().name())
                .setReason(status.reason())
                .setWorker(status.worker())
                .setChangedAtMs(status.since().toEpochMilli())
                .setExitCode(status.exitCode())
                .setFailures(instance.retry().failures())
                .setNotBeforeMs(millis(notBefore))
                .setStart(instance.numbers().start())
                .build();
    }

    static Instance instance(StoredInstance row) {
        var spec = new InstanceSpec(
                row.getWorkload(),
                row.getId(),
                row.getDefinition(),
                row.getRuntime(),
                new Resources(row.getRequestedMilliCpu(), row.getRequestedMemoryBytes()),
                row.getExclusive(),
                InstanceSpec.Restart.valueOf(row.getRestart()),
                row.getSelectorMap(),
                new InstanceSpec.Gang(row.getGang(), Math.max(1, row.getGangLeast())),
                target(row));
        return new Instance(
                spec,
                row.getRemoved(),
                new Resources(row.getGrantedMilliCpu(), row.getGrantedMemoryBytes()),
                new Instance.Numbers(row.getGeneration(), row.getPlacement(), start(row), row.getVersion()),
                new Instance.Status(
                        InstanceState.valueOf(row.getState()),
                        row.getReason(),
                        row.getWorker(),
                        Instant.ofEpochMilli(row.getChangedAtMs()),
                        row.getExitCode()),
                new Instance.Retry(row.getFailures(), instant(row.getNotBeforeMs())));
    }

    private static long millis(Instant time) {
        return time.equals(Instant.MAX) ? NEVER_MS : time.toEpochMilli();
    }

    private static Instant instant(long millis) {
        return millis == NEVER_MS ? Instant.MAX : Instant.ofEpochMilli(millis);
    }

    /** Rows of before starts were counted have none. */
    private static long start(StoredInstance row) {
        return row.getStart() == 0 ? row.getPlacement() : row.getStart();
    }

    /** Rows of before there were other targets have none. */
    private static InstanceSpec.Target target(StoredInstance row) {
        return row.getTarget().isEmpty() ? InstanceSpec.Target.WORKERS : InstanceSpec.Target.valueOf(row.getTarget());
    }

    private static StoredOrder stored(Order order) {
        return StoredOrder.newBuilder()
                .setWorker(order.worker())
                .setSeq(order.seq())
                .setKind(order.kind().name())
                .setInstance(order.instance())
                .setGeneration(order.generation())
                .setMilliCpu(order.amounts().milliCpu())
                .setMemoryBytes(order.amounts().memoryBytes())
                .setReason(order.reason())
                .build();
    }

    static Order order(StoredOrder row) {
        return new Order(
                row.getWorker(),
                row.getSeq(),
                Order.Kind.valueOf(row.getKind()),
                row.getInstance(),
                row.getGeneration(),
                new Resources(row.getMilliCpu(), row.getMemoryBytes()),
                row.getReason());
    }
}
