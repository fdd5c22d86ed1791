package io.sluice.codecs.vm;

import io.sluice.messages.vm.ListElasticJobs;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: whole bool. */
public final class ListElasticJobsCodec extends WireCodec<ListElasticJobs> {
    /** The codec. */
    public ListElasticJobsCodec() {
        super("vm.list-elastic-jobs", 1);
    }

    @Override
    protected void write(ListElasticJobs message, WireWriter out) {
        out.bool(message.whole());
    }

    @Override
    protected ListElasticJobs read(int version, WireReader in) {
        return new ListElasticJobs(in.bool());
    }
}
