package io.sluice.codecs.cluster;

import io.sluice.codecs.ClusterParts;
import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;
import java.util.Optional;

/**
 * v1: vm, version i64, pod, podName, node texts, phase u8, autoscaled, migratable, alwaysMigrate bools, sizes,
 * overcommit, overrides, currentRevision?, approved resources?, fence text, metrics endpoint?, monitor endpoint?. v2:
 * fileCache endpoint?, endpointId, projectId texts, restarts i64, extraIp text, specMin, specMax resources, complaints
 * texts. v3: billedTo text?, changedAtSeconds i64. v4: deferred resources.
 */
public final class VmObservedCodec extends WireCodec<VmObserved> {
    /** The codec. */
    public VmObservedCodec() {
        super("cluster.vm-observed", 3, 4);
    }

    @Override
    protected void write(VmObserved message, WireWriter out) {
        out.vm(message.vm())
                .i64(message.version())
                .text(message.pod())
                .text(message.podName())
                .text(message.node())
                .constant(EnumNumbers.VM_PHASE, message.phase())
                .bool(message.autoscaled())
                .bool(message.migratable())
                .bool(message.alwaysMigrate());
        ClusterParts.write(message.sizes(), out);
        ClusterParts.write(message.overcommit(), out);
        write(message.overrides(), out);
        out.optional(message.currentRevision(), WireWriter::revision)
                .optional(message.approved(), WireWriter::resources)
                .text(message.fence())
                .optional(message.metrics(), (to, endpoint) -> ClusterParts.write(endpoint, to))
                .optional(message.monitor(), (to, endpoint) -> ClusterParts.write(endpoint, to))
                .optional(message.fileCache(), (to, endpoint) -> ClusterParts.write(endpoint, to));
        write(message.traits(), out);
        out.resources(message.deferred());
    }

    @Override
    protected VmObserved read(int version, WireReader in) {
        var first = new VmObserved(
                in.vm(),
                in.i64(),
                in.text(),
                in.text(),
                in.text(),
                in.constant(EnumNumbers.VM_PHASE),
                in.bool(),
                in.bool(),
                in.bool(),
                ClusterParts.sizes(in),
                ClusterParts.overcommit(in),
                overrides(in),
                in.optional(WireReader::revision),
                in.optional(WireReader::resources),
                in.text(),
                in.optional(ClusterParts::endpoint),
                Optional.empty(),
                in.optional(ClusterParts::endpoint),
                VmTraits.NONE);
        var observed = first.with(in.optional(ClusterParts::endpoint), traits(in));
        return version < 4 ? observed : observed.deferring(in.resources());
    }

    private static void write(VmTraits traits, WireWriter out) {
        out.text(traits.endpointId())
                .text(traits.projectId())
                .i64(traits.restarts())
                .text(traits.extraIp())
                .resources(traits.specMin())
                .resources(traits.specMax())
                .list(traits.complaints(), WireWriter::text)
                .optional(traits.billedTo(), WireWriter::text)
                .i64(traits.changedAtSeconds());
    }

    private static VmTraits traits(WireReader in) {
        var traits = new VmTraits(
                in.text(), in.text(), in.i64(), in.text(), in.resources(), in.resources(), in.list(WireReader::text));
        return traits.billed(in.optional(WireReader::text), in.i64());
    }

    private static void write(ScalingOverrides overrides, WireWriter out) {
        out.optional(overrides.loadAverageFractionTarget(), WireWriter::f64)
                .optional(overrides.memoryUsageFractionTarget(), WireWriter::f64)
                .optional(overrides.memoryTotalFractionTarget(), WireWriter::f64)
                .optional(overrides.enableLfcMetrics(), WireWriter::bool)
                .optional(overrides.lfcUseLargestWindow(), WireWriter::bool)
                .optional(overrides.lfcToMemoryRatio(), WireWriter::f64)
                .optional(overrides.lfcMinWaitBeforeDownscaleMinutes(), WireWriter::i32)
                .optional(overrides.lfcWindowSizeMinutes(), WireWriter::i32)
                .optional(overrides.cpuStableZoneRatio(), WireWriter::f64)
                .optional(overrides.cpuMixedZoneRatio(), WireWriter::f64);
    }

    private static ScalingOverrides overrides(WireReader in) {
        return new ScalingOverrides(
                in.optional(WireReader::f64),
                in.optional(WireReader::f64),
                in.optional(WireReader::f64),
                in.optional(WireReader::bool),
                in.optional(WireReader::bool),
                in.optional(WireReader::f64),
                in.optional(WireReader::i32),
                in.optional(WireReader::i32),
                in.optional(WireReader::f64),
                in.optional(WireReader::f64));
    }
}
