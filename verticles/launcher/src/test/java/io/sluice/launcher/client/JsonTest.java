package io.sluice.launcher.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void readsEachKindOfValue() throws IOException {
        var read = Json.read("""
            {"text":"a \\u001b","count":3,"load":1.5,"ready":true,"roles":["agent","vm"],"none":null}\
            """);

        assertThat(read.path("text").text()).isEqualTo("a \u001b");
        assertThat(read.path("count").number()).isEqualTo(3);
        assertThat(read.path("load").text()).isEqualTo("1.5");
        assertThat(read.path("ready").isTrue()).isTrue();
        assertThat(read.path("roles").values()).extracting(Json::text).containsExactly("agent", "vm");
        assertThat(read.path("none").isText()).isFalse();
        assertThat(read.fields()).hasSize(6);
    }

    @Test
    void whatIsNotThereIsEmpty() throws IOException {
        var absent = Json.read("{\"a\":1}").path("b").path("c");

        assertThat(absent.text()).isEmpty();
        assertThat(absent.text("other")).isEqualTo("other");
        assertThat(absent.number()).isZero();
        assertThat(absent.isTrue() || absent.isText() || absent.isNumber() || absent.isTruth() || absent.isList())
                .isFalse();
        assertThat(absent.values()).isEmpty();
        assertThat(absent).hasToString("");
        assertThat(Json.read(new byte[0])).hasToString("");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":[1,{\"b\":null}],\"c\":\"\\\"x\\n\",\"d\":{}}",
                "[]",
                "12345678901234567890",
                "1.5",
                "true"
            })
    void isPrintedAsItWasRead(String text) throws IOException {
        assertThat(Json.read(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":", "[1,", "[1 2]", "no JSON", "{\"a\" 1}"})
    void refusesWhatIsNoJson(String text) {
        assertThatThrownBy(() -> Json.read(text)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void refusesValuesThatAreNestedTooDeep() {
        assertThatThrownBy(() -> Json.read("[".repeat(100_000))).isInstanceOf(JsonProcessingException.class);
    }
}
