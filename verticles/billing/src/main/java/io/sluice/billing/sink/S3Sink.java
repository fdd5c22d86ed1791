package io.sluice.billing.sink;

import java.net.URI;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Writes batches as objects to a bucket of S3 or of a compatible store. A repeated batch overwrites its object.
 *
 * <p>It tries each batch once; {@link io.sluice.billing.outbox.delivery.Delivery} repeats failed batches after a pause.
 */
public final class S3Sink implements Sink {
    private static final String LABEL = "S3 error";

    private final S3SinkConfig config;
    private final S3Client client;

    /** Creates a sink for the bucket in the config, with credentials from AWS' default chain. */
    public S3Sink(S3SinkConfig config) {
        this.config = config;
        var timeout = config.pushTimeout();
        var builder = S3Client.builder()
                .region(Region.of(config.region()))
                .forcePathStyle(true)
                // Compatible servers expect plain bodies, and do not support AWS' newer checksums.
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
        // The SDK throws other exceptions than its own if a timeout closes the connection.
        try {
            client.putObject(put -> put.bucket(config.bucket()).key(batch.name()), RequestBody.fromBytes(batch.body()));
        } catch (RuntimeException refused) {
            throw new SinkException(
                    LABEL,
                    "bucket " + config.bucket() + " did not accept " + batch.name() + ": " + refused.getMessage(),
                    refused);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
