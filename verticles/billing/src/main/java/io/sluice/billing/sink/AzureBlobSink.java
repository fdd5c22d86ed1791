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
import io.sluice.billing.outbox.Batch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Puts batches into a container of Azure's blob storage. A batch that comes again overwrites its blob.
 *
 * <p>It tries each batch once: whoever delivers batches tries again, and knows how long to wait.
 */
public final class AzureBlobSink implements Sink {
    private static final String LABEL = "Azure Blob error";
    /** Interop: by this, dashboards and logs of storage accounts know where blobs come from. */
    private static final String APPLICATION = "neon-autoscaler";

    private static final String ACCOUNT_KEY = "AccountKey=";
    private static final int FILE_BYTES_MAX = 1 << 14;

    private final AzureBlobSinkConfig config;
    private final String section;
    private String connection = "";
    private BlobContainerClient container;

    /**
     * Into the container that the config names.
     *
     * @param section of the config, for complaints, such as {@code billing.azureBlob}
     */
    public AzureBlobSink(AzureBlobSinkConfig config, String section) {
        this.config = config;
        this.section = section;
    }

    @Override
    public void send(Batch batch) throws SinkException {
        // The SDK throws other things than its own where it waited for too long, or where a connection string is none.
        try {
            var upload = new BlobParallelUploadOptions(BinaryData.fromBytes(batch.body()));
            container().getBlobClient(batch.name()).uploadWithResponse(upload, config.pushTimeout(), Context.NONE);
        } catch (RuntimeException | IOException refused) {
            throw new SinkException(
                    LABEL,
                    "container " + config.container() + " did not take " + batch.name() + ": " + refused.getMessage(),
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
        }
        // Last, as a connection string brings its own.
        return builder.endpoint(config.endpoint()).buildClient();
    }

    private void useKey(BlobContainerClientBuilder builder, String connectionString) throws IOException {
        try {
            builder.connectionString(connectionString);
            keyOf(connectionString).ifPresent(Base64.getDecoder()::decode);
        } catch (RuntimeException unusable) {
            // Its words are not repeated: they may hold the key.
            throw new IOException(key() + " must hold a connection string with AccountName and AccountKey");
        }
    }

    /** The SDK looks at it no sooner than when it sends a request. */
    private static Optional<String> keyOf(String connectionString) {
        return Stream.of(connectionString.split(";"))
                .filter(part -> part.startsWith(ACCOUNT_KEY))
                .map(part -> part.substring(ACCOUNT_KEY.length()))
                .findFirst();
    }

    /** Read anew each time, as whoever renews it tells nobody. */
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
