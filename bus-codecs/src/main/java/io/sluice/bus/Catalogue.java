package io.sluice.bus;

import io.sluice.wire.WireCodec;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every address of the bus. The README lists the modules that serve, request, publish and consume each, and the effect
 * of a loss.
 */
public final class Catalogue {
    /** Every address with replies. */
    public static final List<RequestAddress<?, ?>> REQUESTS = List.of(
            LedgerAddresses.OPEN,
            LedgerAddresses.PERMIT,
            LedgerAddresses.LOAD_NODE,
            LedgerAddresses.RECLAIM,
            LedgerAddresses.HOLD,
            LedgerAddresses.RELEASE,
            LedgerAddresses.KEEP,
            LedgerAddresses.MARK,
            LedgerAddresses.UNMARK,
            LedgerAddresses.SNAPSHOT,
            LedgerAddresses.NEAREST_GRANT,
            VmAddresses.CLAIM,
            VmAddresses.PATCH,
            VmAddresses.MIGRATE,
            VmAddresses.END_MIGRATION,
            VmAddresses.BIND_POD,
            VmAddresses.TOUCH_POD,
            VmAddresses.REPORT_UNSCHEDULABLE,
            VmAddresses.EVICT_POD,
            VmAddresses.NOMINATE_NODE,
            VmAddresses.CHOOSE_VOLUME,
            VmAddresses.ELASTIC_JOBS,
            VmAddresses.SCALE_JOB,
            VmAddresses.REPORT_GANG,
            WorkerAddresses.BIND,
            WorkerAddresses.TOUCH,
            WorkerAddresses.RUN_POD,
            WorkerAddresses.END_POD,
            WorkerAddresses.PODS,
            PodAddresses.CLAIM,
            PodAddresses.RESIZE,
            PodAddresses.DOWNSCALE,
            PodAddresses.USE,
            PressureAddresses.RANK,
            BillingAddresses.VM_BILL,
            PlacementAddresses.RANK,
            PlacementAddresses.PREEMPT,
            PlacementAddresses.PLACE,
            PlacementAddresses.PENDING,
            PlacementAddresses.NEAREST_GRANT,
            PlacementAddresses.EXCLUDED_ALONE,
            PlacementAddresses.GANG_NODE,
            PlacementAddresses.GANG_PLACE,
            MonitorAddresses.ATTACH,
            MonitorAddresses.DETACH,
            MonitorAddresses.UPSCALE,
            MonitorAddresses.DOWNSCALE,
            MemberAddresses.STATUS,
            MemberAddresses.TAP,
            MemberAddresses.DUMP);

    /** Every address of events. */
    public static final List<EventAddress<?>> EVENTS = List.of(
            ClusterAddresses.NODE_OBSERVED,
            ClusterAddresses.NODE_GONE,
            ClusterAddresses.POD_OBSERVED,
            ClusterAddresses.POD_PENDING,
            ClusterAddresses.POD_GONE,
            ClusterAddresses.VM_OBSERVED,
            ClusterAddresses.VM_GONE,
            ClusterAddresses.MIGRATION_OBSERVED,
            ClusterAddresses.MIGRATION_GONE,
            ClusterAddresses.VMS_WATCHED,
            ClusterAddresses.LISTED,
            ClusterAddresses.LISTER_BLIND,
            ClusterAddresses.RELIST_WANTED,
            ClusterAddresses.SCHEDULING,
            LedgerAddresses.NODE_CHANGED,
            LedgerAddresses.VM_STATUS,
            MonitorAddresses.STATE,
            MonitorAddresses.MEMORY_WANTED,
            PodAddresses.SAMPLED,
            AgentAddresses.DECISION,
            AgentAddresses.STATUS,
            AgentAddresses.SCALING_RECORDED,
            AgentAddresses.STEP,
            PressureAddresses.DECISION,
            PlacementAddresses.ROOM_WANTED,
            PlacementAddresses.NOMINATED,
            PlacementAddresses.DECISION,
            PlacementAddresses.GANG);

    private static final Map<String, WireCodec<?>> CODECS = Stream.concat(
                    REQUESTS.stream().flatMap(address -> Stream.of(address.request(), address.answer())),
                    EVENTS.stream().map(EventAddress::event))
            .collect(Collectors.toUnmodifiableMap(WireCodec::name, Function.identity(), Catalogue::sameCodec));

    private Catalogue() {}

    /** Every codec, once. */
    public static Collection<WireCodec<?>> codecs() {
        return CODECS.values();
    }

    /** Returns the codec when both are of one class. Addresses may share a codec, but two codecs never share a name. */
    private static WireCodec<?> sameCodec(WireCodec<?> one, WireCodec<?> other) {
        if (one.getClass() != other.getClass()) {
            throw new IllegalStateException(
                    one.getClass() + " and " + other.getClass() + " share the name " + one.name());
        }
        return one;
    }
}
