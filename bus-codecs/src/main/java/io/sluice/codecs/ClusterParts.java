package io.sluice.codecs;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * Parts that messages of several owners contain. They have no version of their own: a part that grows needs a new
 * version of each message that contains it.
 */
public final class ClusterParts {
    private ClusterParts() {}

    /** Host text, port i32, path text. */
    public static void write(Endpoint endpoint, WireWriter out) {
        out.text(endpoint.host()).i32(endpoint.port()).text(endpoint.path());
    }

    public static Endpoint endpoint(WireReader in) {
        return new Endpoint(in.text(), in.i32(), in.text());
    }

    /** Min, max, spec resources, status resources?, slotBytes i64. */
    public static void write(VmSizes sizes, WireWriter out) {
        out.resources(sizes.min())
                .resources(sizes.max())
                .resources(sizes.spec())
                .optional(sizes.status(), WireWriter::resources)
                .i64(sizes.slotBytes());
    }

    public static VmSizes sizes(WireReader in) {
        return new VmSizes(
                in.resources(), in.resources(), in.resources(), in.optional(WireReader::resources), in.i64());
    }

    /** CPU and memory factor i64, in thousandths. */
    public static void write(Overcommit overcommit, WireWriter out) {
        out.i64(overcommit.cpuMilli()).i64(overcommit.memoryMilli());
    }

    public static Overcommit overcommit(WireReader in) {
        return new Overcommit(in.i64(), in.i64());
    }
}
