// The official npm client, unmodified, against a running gateway. Prints one JSON object with what it saw; test_openai_node.py judges it.
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.env.GATEWAY_URL, apiKey: process.env.GATEWAY_KEY, maxRetries: 0 });
const hello = [{ role: "user", content: "hello there" }];
const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } } }];

async function streamed(options) {
  const seen = { text: "", finish: null, usage: null };
  for await (const chunk of await client.chat.completions.create({ model: "echo", messages: hello, stream: true, ...options })) {
    seen.text += chunk.choices[0]?.delta.content ?? "";
    seen.finish = chunk.choices[0]?.finish_reason ?? seen.finish;
    seen.usage = chunk.usage ?? seen.usage;
  }
  return seen;
}

async function roundTrip() {
  const asked = [{ role: "user", content: "What is the weather in Bern?" }];
  const first = await client.chat.completions.create({ model: "tools", messages: asked, tools });
  const call = first.choices[0].message;
  const result = { role: "tool", tool_call_id: call.tool_calls[0].id, content: "sunny" };
  const second = await client.chat.completions.create({ model: "tools", messages: [...asked, call, result], tools });
  return { finish: first.choices[0].finish_reason, text: second.choices[0].message.content };
}

async function refused(call) {
  try {
    await call();
    return null;
  } catch (error) {
    return {
      name: error.constructor.name,
      status: error.status,
      code: error.code,
      message: error.message,
      retryAfter: error.headers?.get("retry-after") ?? null,
    };
  }
}

async function leaves() {
  const stream = await client.chat.completions.create({ model: "stalls", messages: hello, stream: true });
  for await (const chunk of stream) {
    stream.controller.abort();
    return chunk.choices[0].delta.content;
  }
}

async function remembered() {
  const { response } = await client.chat.completions
    .create({ model: "echo", messages: hello }, { headers: { "x-eluvix-user": "nobody-yet" } })
    .withResponse();
  return { memory: response.headers.get("x-eluvix-memory"), tokens: response.headers.get("x-eluvix-memory-tokens") };
}

const wrongKey = new OpenAI({ baseURL: process.env.GATEWAY_URL, apiKey: "wrong", maxRetries: 0 });
const chat = (model, by = client) => () => by.chat.completions.create({ model, messages: hello });
const list = [];
for await (const model of client.models.list()) list.push(model.id);

console.log(
  JSON.stringify({
    plain: (await chat("echo")()).choices[0].message.content,
    stream: await streamed({}),
    streamWithUsage: await streamed({ stream_options: { include_usage: true } }),
    tools: await roundTrip(),
    unknownModel: await refused(chat("no-such-model")),
    wrongKey: await refused(chat("echo", wrongKey)),
    rateLimit: await refused(chat("limited")),
    models: list,
    retrieved: (await client.models.retrieve("echo")).id,
    floats: (await client.embeddings.create({ model: "embeds", input: "a", encoding_format: "float" })).data[0].embedding,
    decoded: (await client.embeddings.create({ model: "embeds", input: "a" })).data[0].embedding,
    left: await leaves(),
    headers: await remembered(),
  }),
);
