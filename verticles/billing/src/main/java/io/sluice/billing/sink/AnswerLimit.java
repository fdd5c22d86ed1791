package io.sluice.billing.sink;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Bounds responses of object stores, which their SDKs read to the end. */
final class AnswerLimit extends FilterInputStream {
    /** An error response of a store has a few hundred bytes. */
    static final int BYTES_MAX = 1 << 18;

    private long left = BYTES_MAX;

    AnswerLimit(InputStream answer) {
        super(answer);
    }

    /** Returns an interceptor that bounds what a client of the AWS SDK reads. */
    static ExecutionInterceptor forAws() {
        return new ExecutionInterceptor() {
            @Override
            public Optional<InputStream> modifyHttpResponseContent(
                    Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
                return context.responseBody().map(AnswerLimit::new);
            }
        };
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        count(Math.max(read, 0));
        return read;
    }

    private void count(int read) throws IOException {
        left -= read;
        if (left < 0) {
            throw tooLong();
        }
    }

    static IOException tooLong() {
        return new IOException("the response is longer than " + BYTES_MAX + " bytes");
    }
}
