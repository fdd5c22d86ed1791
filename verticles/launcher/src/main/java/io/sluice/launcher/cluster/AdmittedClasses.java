package io.sluice.launcher.cluster;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.config.InvalidConfigurationException;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.HazelcastOverloadException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.LocalMemberResetException;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.core.RuntimeInterruptedException;
import com.hazelcast.internal.cluster.impl.ClusterTopologyChangedException;
import com.hazelcast.internal.cluster.impl.ConfigMismatchException;
import com.hazelcast.internal.cluster.impl.MasterNodeChangedException;
import com.hazelcast.internal.cluster.impl.VersionMismatchException;
import com.hazelcast.internal.partition.PartitionStateVersionMismatchException;
import com.hazelcast.map.ReachedMaxSizeException;
import com.hazelcast.map.impl.operation.EntryOffloadableLockMismatchException;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.partition.NoDataMemberInClusterException;
import com.hazelcast.spi.exception.CallerNotMemberException;
import com.hazelcast.spi.exception.DistributedObjectDestroyedException;
import com.hazelcast.spi.exception.PartitionMigratingException;
import com.hazelcast.spi.exception.ResponseAlreadySentException;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.RetryableIOException;
import com.hazelcast.spi.exception.ServiceNotFoundException;
import com.hazelcast.spi.exception.TargetDisconnectedException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.exception.WrongTargetException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.hazelcast.transaction.TransactionException;
import com.hazelcast.transaction.TransactionNotActiveException;
import com.hazelcast.transaction.TransactionTimedOutException;
import com.hazelcast.version.MemberVersion;
import io.sluice.ledger.store.LedgerUnavailableException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The classes that members may send each other by Java's own serialization: classes of failures, and the state of the
 * Hazelcast cluster, which members agree on when it is set. All other messages have formats of their own, which this
 * does not bound.
 */
final class AdmittedClasses {
    /**
     * Failures of partitions, maps, the bus's subscriptions and of members that come, go and merge, and Java's own that
     * may be their causes. Those of parts that are not used here (clients, SQL, jobs, the CP subsystem) are left out. A
     * failure that is not listed is lost on its way, and its requester waits for the timeout.
     */
    static final List<Class<? extends Throwable>> FAILURES = List.of(
            LedgerUnavailableException.class,
            CallerNotMemberException.class,
            ClusterTopologyChangedException.class,
            ConfigMismatchException.class,
            DistributedObjectDestroyedException.class,
            EntryOffloadableLockMismatchException.class,
            HazelcastException.class,
            HazelcastInstanceNotActiveException.class,
            HazelcastOverloadException.class,
            HazelcastSerializationException.class,
            IndeterminateOperationStateException.class,
            InvalidConfigurationException.class,
            LocalMemberResetException.class,
            MasterNodeChangedException.class,
            MemberLeftException.class,
            NoDataMemberInClusterException.class,
            OperationTimeoutException.class,
            PartitionMigratingException.class,
            PartitionStateVersionMismatchException.class,
            ReachedMaxSizeException.class,
            ResponseAlreadySentException.class,
            RetryableHazelcastException.class,
            RetryableIOException.class,
            RuntimeInterruptedException.class,
            ServiceNotFoundException.class,
            SplitBrainProtectionException.class,
            TargetDisconnectedException.class,
            TargetNotMemberException.class,
            TransactionException.class,
            TransactionNotActiveException.class,
            TransactionTimedOutException.class,
            VersionMismatchException.class,
            WrongTargetException.class,
            CancellationException.class,
            CompletionException.class,
            ConcurrentModificationException.class,
            EOFException.class,
            ExecutionException.class,
            IOException.class,
            NoSuchElementException.class,
            RejectedExecutionException.class,
            TimeoutException.class,
            UncheckedIOException.class);

    /**
     * The Hazelcast cluster's state, and what failures contain: a member's version, a stack trace, and a list of
     * suppressed failures, which may be empty.
     */
    private static final List<Class<?>> PARTS = List.of(
            ClusterState.class,
            MemberVersion.class,
            StackTraceElement[].class,
            Collections.emptyList().getClass(),
            ArrayList.class);

    /**
     * Java's own failures, their stack traces, {@code Enum}; the packages below it (reflection, lambdas) are not
     * included.
     */
    private static final String LANGUAGE = Throwable.class.getPackageName();

    private AdmittedClasses() {}

    static JavaSerializationFilterConfig filter() {
        var filter = new JavaSerializationFilterConfig().setDefaultsDisabled(true);
        filter.getWhitelist()
                .addPackages(LANGUAGE)
                .addClasses(Stream.concat(FAILURES.stream(), PARTS.stream())
                        .map(Class::getName)
                        .toArray(String[]::new));
        return filter;
    }
}
