import { rename } from '../../platform';

export async function PUT(request: Request): Promise<Response> {
  const { data, response } = await rename(await request.text());
  return Response.json(data, { status: response.status });
}
