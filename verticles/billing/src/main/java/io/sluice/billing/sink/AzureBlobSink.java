package io.sluice.billing.sink;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.core.util.HttpClientOptions;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes batches as blobs to a container of Azure Blob Storage. A repeated batch overwrites its blob.
 *
 * <p>It tries each batch once; {@link io.sluice.billing.outbox.delivery.Delivery} repeats failed batches after a pause.
 */
public final class AzureBlobSink implements Sink {
    private static final String LABEL = "Azure Blob error";
    /** Interop: dashboards and logs of storage accounts identify the writer by this name. */
    private static final String APPLICATION = "neon-autoscaler";

    private static final String ACCOUNT_KEY = "AccountKey=";
    private static final String SIGNATURE = "SharedAccessSignature=";
    private static final int FILE_BYTES_MAX = 1 << 14;

    private final AzureBlobSinkConfig config;
    private final String section;
    private String connection = "";
    private BlobContainerClient container;

    /**
     * Creates a sink for the container in the config.
     *
     * @param section section of the config for error messages, such as {@code billing.azureBlob}
     */
    public AzureBlobSink(AzureBlobSinkConfig config, String section) {
        this.config = config;
        this.section = section;
    }

    @Override
    public void send(Batch batch) throws SinkException {
        // The SDK throws other exceptions than its own after a timeout, or if a connection string is invalid.
        try {
            var upload = new BlobParallelUploadOptions(BinaryData.fromBytes(batch.body()));
            container().getBlobClient(batch.name()).uploadWithResponse(upload, config.pushTimeout(), Context.NONE);
        } catch (RuntimeException | IOException refused) {
            throw new SinkException(
                    LABEL,
                    "container " + config.container() + " did not accept " + batch.name() + ": " + refused.getMessage(),
                    refused);
        }
    }

    @Override
    public void close() {
        container = null;
    }

    private BlobContainerClient container() throws IOException {
        var now = connectionString();
        if (container == null || !now.equals(connection)) {
            container = connected(now);
            connection = now;
        }
        return container;
    }

    private BlobContainerClient connected(String connectionString) throws IOException {
        int seconds = Math.toIntExact(Math.max(1, config.pushTimeout().toSeconds()));
        var http = new JdkHttpClientBuilder()
                .connectionTimeout(config.pushTimeout())
                .build();
        var builder = new BlobContainerClientBuilder()
                .containerName(config.container())
                .clientOptions(new HttpClientOptions().setApplicationId(APPLICATION))
                .retryOptions(new RequestRetryOptions(RetryPolicyType.FIXED, 1, seconds, null, null, null))
                .addPolicy(new AzureAnswerLimit())
                .httpClient(http);
        if (connectionString.isEmpty()) {
            builder.credential(
                    new DefaultAzureCredentialBuilder().httpClient(http).build());
        } else {
            useKey(builder, connectionString);
            refuseOpenSignature(connectionString);
        }
        // Set last, because a connection string sets an endpoint too.
        return builder.endpoint(config.endpoint()).buildClient();
    }

    private void useKey(BlobContainerClientBuilder builder, String connectionString) throws IOException {
        try {
            builder.connectionString(connectionString);
            keyOf(connectionString).ifPresent(Base64.getDecoder()::decode);
        } catch (RuntimeException unusable) {
            // The exception's message is not included: it may contain the key.
            throw new IOException(key() + " must hold a connection string with AccountName and AccountKey");
        }
    }

    /** A key signs requests, and is not sent. A shared access signature is sent with each. */
    private void refuseOpenSignature(String connectionString) throws IOException {
        if (connectionString.contains(SIGNATURE) && !SinkRules.isPrivate(URI.create(config.endpoint()))) {
            throw new IOException(key() + " has a SharedAccessSignature, which is sent over https only: " + section
                    + ".endpoint=" + config.endpoint());
        }
    }

    /** The SDK checks the key only when it sends a request. */
    private static Optional<String> keyOf(String connectionString) {
        return Stream.of(connectionString.split(";"))
                .filter(part -> part.startsWith(ACCOUNT_KEY))
                .map(part -> part.substring(ACCOUNT_KEY.length()))
                .findFirst();
    }

    /** Read for each batch, because the file may be renewed at any time. */
    private String connectionString() throws IOException {
        if (config.connectionStringFile().isBlank()) {
            return "";
        }
        try (var file = Files.newInputStream(Path.of(config.connectionStringFile()))) {
            var text = new String(file.readNBytes(FILE_BYTES_MAX), StandardCharsets.UTF_8).strip();
            if (text.isEmpty()) {
                throw new IOException(key() + " is empty");
            }
            return text;
        } catch (FileSystemException unreadable) {
            throw new IOException(key() + " cannot be read: " + unreadable, unreadable);
        }
    }

    private String key() {
        return section + ".connectionStringFile=" + config.connectionStringFile();
    }
}
