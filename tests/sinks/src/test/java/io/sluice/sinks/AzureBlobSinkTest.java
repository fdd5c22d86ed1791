package io.sluice.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.blob.models.BlobItem;
import io.sluice.billing.sink.AzureBlobSink;
import io.sluice.billing.sink.AzureBlobSinkConfig;
import io.sluice.billing.sink.Sink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the sink of Azure Blob Storage with Azurite and its public key. */
@OnStandIns
class AzureBlobSinkTest extends ObjectStoreContract {
    private static final String ACCOUNT = "devstoreaccount1";
    private static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    @TempDir
    private Path data;

    private StandIn store;
    private BlobContainerClient container;

    @BeforeEach
    void start() throws Exception {
        store = StandIn.azurite(data, data.resolve("log")).start();
        container = new BlobContainerClientBuilder()
                .connectionString(connection(KEY))
                .containerName(HOLDER)
                .buildClient();
        container.create();
    }

    @AfterEach
    void stop() throws Exception {
        store.stop();
    }

    @Test
    void namesItsUserAgent() throws Exception {
        keepsABatchByItsNameAndByteForByte("usage");
        store.stop();

        assertThat(Files.readAllLines(data.resolve("log")))
                .filteredOn(line -> line.contains("RequestMethod=PUT") && line.contains(".ndjson.gz"))
                .isNotEmpty()
                .allMatch(line -> line.contains("\"user-agent\":\"neon-autoscaler "));
    }

    @Override
    Sink sink(String holder) throws Exception {
        return sink(holder, KEY);
    }

    @Override
    Sink strangersSink() throws Exception {
        return sink(HOLDER, "c3RyYW5nZXI=");
    }

    @Override
    List<String> names() {
        return container.listBlobs().stream().map(BlobItem::getName).toList();
    }

    @Override
    byte[] read(String name) {
        return container.getBlobClient(name).downloadContent().toBytes();
    }

    @Override
    StandIn store() {
        return store;
    }

    @Override
    String label() {
        return "Azure Blob error";
    }

    private Sink sink(String holder, String key) throws Exception {
        var file = data.resolve("connection");
        Files.writeString(file, connection(key));
        var endpoint = store.url() + "/" + ACCOUNT;
        var config = new AzureBlobSinkConfig(endpoint, holder, "", file.toString(), LONG, LONG, 200);
        return new AzureBlobSink(config, "billing.azureBlob");
    }

    private String connection(String key) {
        return "AccountName=%s;AccountKey=%s;BlobEndpoint=%s/%s;".formatted(ACCOUNT, key, store.url(), ACCOUNT);
    }
}
