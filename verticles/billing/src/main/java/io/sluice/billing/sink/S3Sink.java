package io.sluice.billing.sink;

import io.sluice.billing.outbox.Batch;
import java.net.URI;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Puts batches into a bucket of S3, or of what speaks like it. A batch that comes again overwrites its object.
 *
 * <p>It tries each batch once: whoever delivers batches tries again, and knows how long to wait.
 */
public final class S3Sink implements Sink {
    private static final String LABEL = "S3 error";

    private final S3SinkConfig config;
    private final S3Client client;

    /** Into the bucket that the config names, with the credentials that AWS' own tools would find here. */
    public S3Sink(S3SinkConfig config) {
        this.config = config;
        var timeout = config.pushTimeout();
        var builder = S3Client.builder()
                .region(Region.of(config.region()))
                .forcePathStyle(true)
                // Other servers than Amazon's take a body as it is, and know none of its newer checksums.
                .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(timeout)
                        .socketTimeout(timeout))
                .overrideConfiguration(override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry())
                        .addExecutionInterceptor(AnswerLimit.forAws())
                        .apiCallTimeout(timeout)
                        .apiCallAttemptTimeout(timeout));
        if (!config.endpoint().isBlank()) {
            builder.endpointOverride(URI.create(config.endpoint()));
        }
        this.client = builder.build();
    }

    @Override
    public void send(Batch batch) throws SinkException {
        // The SDK throws other things than its own where a timeout closes the connection under it.
        try {
            client.putObject(put -> put.bucket(config.bucket()).key(batch.name()), RequestBody.fromBytes(batch.body()));
        } catch (RuntimeException refused) {
            throw new SinkException(
                    LABEL,
                    "bucket " + config.bucket() + " did not take " + batch.name() + ": " + refused.getMessage(),
                    refused);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
