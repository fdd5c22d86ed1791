package io.sluice.billing.sink;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.FluxUtil;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Bounds how much of a response the Azure SDK reads. It makes the SDK's client return a stream, and reads no more than
 * the bound.
 */
final class AzureAnswerLimit implements HttpPipelinePolicy {
    /** Options of the SDK that make its client read a whole response before a policy receives it. */
    private static final List<String> READ_AT_ONCE =
            List.of("azure-eagerly-read-response", "azure-ignore-response-body");

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        READ_AT_ONCE.forEach(option -> context.setData(option, false));
        return next.process().flatMap(AzureAnswerLimit::read);
    }

    private static Mono<HttpResponse> read(HttpResponse answer) {
        var bytes = new AtomicLong();
        var bounded = answer.getBody().doOnNext(part -> {
            if (bytes.addAndGet(part.remaining()) > AnswerLimit.BYTES_MAX) {
                throw new UncheckedIOException(AnswerLimit.tooLong());
            }
        });
        return FluxUtil.collectBytesInByteBufferStream(bounded).map(body -> new ReadAnswer(answer, body));
    }

    private static final class ReadAnswer extends HttpResponse {
        private final HttpResponse answer;
        private final byte[] body;

        ReadAnswer(HttpResponse answer, byte[] body) {
            super(answer.getRequest());
            this.answer = answer;
            this.body = body;
        }

        @Override
        public int getStatusCode() {
            return answer.getStatusCode();
        }

        @Override
        @SuppressWarnings("deprecation")
        public String getHeaderValue(String name) {
            return answer.getHeaderValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            return answer.getHeaders();
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return Flux.defer(() -> Flux.just(ByteBuffer.wrap(body)));
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return Mono.just(body);
        }

        @Override
        public Mono<String> getBodyAsString() {
            return getBodyAsString(StandardCharsets.UTF_8);
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return Mono.just(new String(body, charset));
        }
    }
}
