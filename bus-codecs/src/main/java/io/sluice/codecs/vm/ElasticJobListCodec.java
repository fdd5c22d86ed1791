package io.sluice.codecs.vm;

import io.sluice.codecs.LongTextPart;
import io.sluice.messages.vm.ElasticJobList;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/** v1: jobs, each a long text; failure text. */
public final class ElasticJobListCodec extends WireCodec<ElasticJobList> {
    /** The codec. */
    public ElasticJobListCodec() {
        super("vm.elastic-job-list", 1);
    }

    @Override
    protected void write(ElasticJobList message, WireWriter out) {
        out.list(message.jobs(), LongTextPart::write).text(message.failure());
    }

    @Override
    protected ElasticJobList read(int version, WireReader in) {
        return new ElasticJobList(in.list(LongTextPart::read), in.text());
    }
}
